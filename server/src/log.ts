/** Where does the program say what it noticed? A port: each main decides where the lines go. */

export interface Log {
  /** A step worth knowing: what was indexed, what was skipped and why. */
  info(message: string): void;
  /** Something outside went wrong and the work goes on: a file that cannot be read. */
  warn(message: string): void;
  /** An impossible state: our fault. Tests fail on it, users are not disturbed. */
  bug(where: string, error: unknown): void;
}
