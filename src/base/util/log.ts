/** Log of all parts. The extension passes its output channel, the command line standard error, tests a list. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
