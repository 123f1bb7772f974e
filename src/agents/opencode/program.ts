import type { AgentId } from '../../core/model';

/** A program of OpenCode's family: the same database, plugins and command line under another name. */
export interface OpencodeProgram {
  readonly agent: AgentId;
  /** Name that people see. */
  readonly name: string;
  /** Name of the program, of its folders and of its database. */
  readonly program: string;
  /** Environment variable that names its database. */
  readonly database: string;
  /** True if a prompt of the plugin continues a session whose turn is over. */
  readonly wakesIdle: boolean;
}

export const OPENCODE: OpencodeProgram = {
  agent: 'opencode',
  name: 'OpenCode',
  program: 'opencode',
  database: 'OPENCODE_DB',
  wakesIdle: true,
};

/**
 * Kilo's command line, and its newer extension, which runs that (measured with 7.7.9: in its terminal, no prompt of the plugin arrived within 5
 * minutes).
 */
export const KILO: OpencodeProgram = {
  agent: 'kilo-code',
  name: 'Kilo Code',
  program: 'kilo',
  database: 'KILO_DB',
  wakesIdle: false,
};
