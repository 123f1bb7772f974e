import type { ToolTable } from '../shared/decode';

/** Roles of VS Code's tools for which the common one does not fit. */
export const TOOLS: ToolTable = {
  getterminaloutput: 'wait',
  awaitterminal: 'wait',
  killterminal: 'other',
  sendtoterminal: 'shell',
  createandruntask: 'shell',
  runtask: 'shell',
  gettaskoutput: 'wait',
  testfailure: 'look',
  terminalselection: 'look',
  terminallastcommand: 'look',
  vscodeaskquestions: 'ask',
};

export function isSubAgent(name: string): boolean {
  return name === 'runSubagent';
}

/** Returns the name under which the model knows a tool of the chat view: `copilot_readFile` is its `read_file`. */
export function toolName(id: string): string {
  return NAMES[id] ?? id.replace(/^copilot_/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const NAMES: Readonly<Record<string, string>> = {
  copilot_listDirectory: 'list_dir',
  copilot_replaceString: 'replace_string_in_file',
  copilot_findTextInFiles: 'grep_search',
  copilot_findFiles: 'file_search',
  copilot_editFiles: 'insert_edit_into_file',
  runSubagent: 'runSubagent',
  runTests: 'runTests',
};
