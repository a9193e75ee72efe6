/** The interface of a format of `selector-lens check`. */

import type { World } from '../environment.ts';
import type { Report } from '../report/model.ts';

export interface CheckFormat {
  /** The value of `--format`. */
  readonly name: string;
  /** The content and the purpose of the format, as Markdown for the documentation. */
  readonly description: string;
  /**
   * Writes a report as whole lines, without line ends. `repository` is the URI of the folder to which paths in formats
   * for other tools are relative. Text from a workspace must be escaped for the program that reads the format.
   */
  write(world: World, report: Report, repository: string): readonly string[];
}
