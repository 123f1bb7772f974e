import { headOf } from '../shared/decode';

/** One answer inside a request: `[read_file for 'a.ts'] Result:` and what follows it. */
export interface TaskAnswer {
  readonly tool: string;
  readonly text: string;
}

const HEADER = /^\[(\w{1,60})(?: for [^\n]{0,4000})?\] Result:[ \t]*$/;
const MOST = 50;
/** Suffixes that the extension adds to the answers: they change from request to request. */
const ADDED = [
  '\n<environment_details>',
  '\n# TODO LIST',
  '# TODO LIST UPDATE REQUIRED',
  '\n# task_progress',
  '\n# Todo List',
  '\n<hook_context',
];

/**
 * Returns the answers to calls at the beginning of a request. The name of a call can contain line breaks, so only lines that end a header are looked
 * for.
 */
export function answersIn(request: string): readonly TaskAnswer[] {
  if (!request.includes('] Result:')) return [];
  const answers: TaskAnswer[] = [];
  let tool: string | undefined;
  let lines: string[] = [];
  let opened: string | undefined;
  const close = (): void => {
    if (tool !== undefined) answers.push({ tool, text: withoutAdded(lines.join('\n')) });
    lines = [];
  };
  for (const line of request.split('\n')) {
    if (answers.length >= MOST) break;
    const header = HEADER.exec(line.length > 4200 ? headOf(line, 4200) : line)?.[1];
    // A command of several lines: its header begins on one and ends on another.
    const begins = header === undefined && opened === undefined ? /^\[(\w{1,60}) for '/.exec(line)?.[1] : undefined;
    if (header !== undefined || (opened !== undefined && line.trimEnd().endsWith('] Result:'))) {
      close();
      tool = header ?? opened;
      opened = undefined;
      continue;
    }
    if (begins !== undefined) opened = begins;
    lines.push(line);
  }
  close();
  return answers;
}

function withoutAdded(text: string): string {
  let end = text.length;
  for (const added of ADDED) {
    const at = text.indexOf(added);
    if (at >= 0 && at < end) end = at;
  }
  return text.slice(0, end).trim();
}
