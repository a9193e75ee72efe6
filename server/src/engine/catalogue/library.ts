/** Public interface of the catalogue: its facts, and the descriptions of keys. */

export * from './index.ts';
export { describeKey } from './key-descriptions.ts';
