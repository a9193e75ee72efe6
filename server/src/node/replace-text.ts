/** How does a new text come into a file? Whole, or not at all. */

import { open, readFile, rm } from 'node:fs/promises';
import { byteOrderMark } from '../text/byte-order-mark.ts';
import { refusalOf } from './refusal.ts';

/**
 * Puts a text in the place of another one, with its byte order mark; `before` is undefined for a file that is not there.
 * Answers why that could not be done, or nothing.
 */
export async function replaceText(
  path: string,
  before: string | undefined,
  after: string,
): Promise<string | undefined> {
  try {
    if (before === undefined) return await make(path, after);
    const was = await readFile(path);
    const text = was.toString();
    const head = byteOrderMark(text);
    if (text.slice(head.length) !== before) return 'it changed meanwhile';
    await replace(path, was, Buffer.from(head + after));
    return undefined;
  } catch (error) {
    return refusalOf(error);
  }
}

async function make(path: string, text: string): Promise<undefined> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(text);
  } catch (error) {
    await rm(path);
    throw error;
  } finally {
    await file.close();
  }
}

/** In its place, so that its rights and the links to it stay. It keeps its room on the disk until all is written. */
async function replace(path: string, was: Uint8Array, now: Uint8Array): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.writeFile(now);
    await file.truncate(now.length);
  } catch (error) {
    await file.write(was, 0, was.length, 0).catch(() => {});
    await file.truncate(was.length).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}
