import { shellKind } from '../../../base/checks/shell/shell-kind';
import type { ToolKind } from '../../../core/model';
import { pieceOf } from '../../../base/util/piece';
import { remembered } from '../../../base/util/remembered';
import { firstLine } from '../../../base/util/text';
import { oneLine } from './copy';
import { relativeTo } from './files';
import { asRecord, asText, type JsonRecord } from './json';
import { commandLine, shellSubject } from './shell-command';
import { bareToolName, type ToolTable, toolRole } from './tool-names';

/** Description of a call: the fields that every `tool_call` event carries in addition to its arguments. */
export interface CallDescription {
  readonly kind: ToolKind;
  /** One line, at most 200 characters, with symbols for control characters. */
  readonly subject: string;
  readonly command?: string;
  /** File or folder, as in the arguments. */
  readonly target?: string;
}

export interface DescribeOptions {
  /** Roles of this agent's own tools, which take precedence over the common ones. Keys in lower case without `_` and `-`. */
  readonly table?: ToolTable;
  /** Paths inside it are shown relative to it. */
  readonly cwd?: string | undefined;
}

const COMMAND_KEYS = [
  'command',
  'cmd',
  'script',
  'commandLine',
  'CommandLine',
  'command_line',
  'keystrokes',
  'input',
] as const;
const PATH_KEYS = placesOf([
  'file_path',
  'path',
  'filePath',
  'notebook_path',
  'absolute_path',
  'target_file',
  'targetFile',
  'file',
  'filename',
  'file_name',
  'fileName',
  'TargetFile',
  'AbsolutePath',
  'relative_path',
  'dir_path',
  'directory',
  'dir',
  'DirectoryPath',
  'folder',
  'source',
]);
const PATTERN_KEYS = placesOf([
  'pattern',
  'query',
  'regex',
  'search_term',
  'glob',
  'q',
  'keyword',
  'search',
  'globPattern',
  'glob_pattern',
]);
const WORDS = [
  'description',
  'title',
  'subject',
  'question',
  'task',
  'prompt',
  'message',
  'name',
  'skill',
  'text',
  'objective',
];
const WORDS_KEYS = placesOf(WORDS);
const QUESTION_KEYS = placesOf(['question', ...WORDS]);
const CODE_KEYS = placesOf(['code', ...COMMAND_KEYS]);
const FETCH_KEYS = placesOf(['url', 'uri', 'Url', 'prompt', 'query']);
const PATCH_KEYS = placesOf(['input', 'patch', 'diff', 'patchText']);

/** Describes a call by its tool's name and its arguments. Never throws, whatever the arguments are. */
export function describeCall(name: string, args: unknown, options: DescribeOptions = {}): CallDescription {
  const record = asRecord(args);
  const target = record && pathIn(record);
  const role = toolRole(name, options.table, target !== undefined);
  switch (role) {
    case 'shell':
      return describeShell(name, args, record);
    case 'code':
      return {
        kind: 'ran',
        subject: oneLine(openingLine(first(record, CODE_KEYS) ?? asText(args) ?? name)),
      };
    case 'patch':
      return describePatch(name, args, record, options);
    case 'editor':
      return describeEditor(name, record, target, options);
    case 'search':
    case 'find':
    case 'web_search':
      return describeSearch(role, name, record, target, options);
    case 'fetch':
      return {
        kind: 'looked',
        subject: oneLine(`Fetch ${first(record, FETCH_KEYS) ?? name}`),
      };
    case 'read':
    case 'list':
    case 'edit':
    case 'write':
    case 'delete':
    case 'move':
      return describeFile(role, name, record, target, options);
    case 'plan':
    case 'delegate':
    case 'ask':
    case 'wait':
    case 'look':
    case 'other':
      break;
  }
  return describeOther(role, name, record, target, options);
}

function describeShell(name: string, args: unknown, record: JsonRecord | undefined): CallDescription {
  // Nothing is typed into the terminal: only time passes.
  if (asText(record?.['keystrokes'])?.trim() === '') return { kind: 'waited', subject: 'Wait' };
  const command = (commandIn(record) ?? commandLine(args))?.trimEnd();
  if (command === undefined || command === '') return { kind: 'ran', subject: oneLine(bareToolName(name)) };
  const { kind, subject } = describeCommand(command);
  return { kind, subject, command };
}

const describeCommand = remembered(
  (command) => ({ kind: shellKind(command), subject: oneLine(shellSubject(command)) }),
  { most: 256, longest: 2000 },
);

function describeFile(
  role: 'read' | 'list' | 'edit' | 'write' | 'delete' | 'move',
  name: string,
  record: JsonRecord | undefined,
  target: string | undefined,
  { cwd }: DescribeOptions,
): CallDescription {
  const verbs = { read: 'Read', list: 'List', edit: 'Edit', write: 'Write', delete: 'Delete', move: 'Move' };
  const kind: ToolKind = role === 'read' || role === 'list' ? 'looked' : 'changed';
  if (target === undefined)
    return { kind, subject: oneLine(written(record) ?? `${verbs[role]} ${wordsIn(record, name)}`) };
  return { kind, subject: oneLine(`${verbs[role]} ${relativeTo(target, cwd)}`), target };
}

function describeSearch(
  role: 'search' | 'find' | 'web_search',
  name: string,
  record: JsonRecord | undefined,
  target: string | undefined,
  { cwd }: DescribeOptions,
): CallDescription {
  const pattern = first(record, PATTERN_KEYS) ?? wordsIn(record, name);
  if (role === 'web_search') return { kind: 'looked', subject: oneLine(`Search the web: ${pattern}`) };
  const verb = role === 'find' ? 'Find' : 'Search';
  const line = written(record);
  if (line !== undefined) return { kind: 'looked', subject: oneLine(line) };
  if (target === undefined) return { kind: 'looked', subject: oneLine(`${verb} ${pattern}`) };
  const where = relativeTo(target, cwd);
  return {
    kind: 'looked',
    subject: oneLine(where === '.' ? `${verb} ${pattern}` : `${verb} ${pattern} in ${where}`),
    target,
  };
}

/** Describes a patch. The format of `apply_patch` names its files in lines such as `*** Update File: src/calc.py`. */
function describePatch(
  name: string,
  args: unknown,
  record: JsonRecord | undefined,
  { cwd }: DescribeOptions,
): CallDescription {
  const patch = asText(args) ?? first(record, PATCH_KEYS) ?? '';
  const files = patchedFiles(patch);
  const target = files[0] ?? (record && pathIn(record));
  if (target === undefined) return { kind: 'changed', subject: oneLine(bareToolName(name)) };
  const more = files.length > 1 ? ` and ${files.length - 1} more` : '';
  return { kind: 'changed', subject: oneLine(`Edit ${relativeTo(target, cwd)}${more}`), target };
}

/** Returns the files that a patch changes, in order: from `*** Update File:` lines of the apply_patch format, else from `+++ ` lines of a diff. */
function patchedFiles(patch: string): readonly string[] {
  const files = new Set<string>();
  for (const match of patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm))
    if (match[1]) files.add(match[1].trim());
  if (files.size === 0) {
    for (const match of patch.matchAll(/^\+\+\+ (?:b\/)?([^\t\n]+)/gm)) if (match[1]) files.add(match[1].trim());
  }
  return [...files];
}

/**
 * Describes a call of a tool for everything: its `command` argument says whether it views or edits (SWE-agent, OpenHands, Anthropic's own editor).
 */
function describeEditor(
  name: string,
  record: JsonRecord | undefined,
  target: string | undefined,
  options: DescribeOptions,
): CallDescription {
  const command = asText(record?.['command']);
  if (command === 'view') return describeFile('read', name, record, target, options);
  return describeFile(command === 'create' || command === 'write' ? 'write' : 'edit', name, record, target, options);
}

function describeOther(
  role: 'plan' | 'delegate' | 'ask' | 'wait' | 'look' | 'other',
  name: string,
  record: JsonRecord | undefined,
  target: string | undefined,
  { cwd }: DescribeOptions,
): CallDescription {
  const kinds: Readonly<Record<typeof role, ToolKind>> = {
    plan: 'plan',
    delegate: 'delegated',
    ask: 'asked',
    wait: 'waited',
    look: 'looked',
    other: 'other',
  };
  const what = role === 'ask' ? questionIn(record) : target === undefined ? wordsOf(record) : relativeTo(target, cwd);
  const bare = bareToolName(name);
  const subject = oneLine(what === undefined ? bare : `${bare} ${what}`);
  return target === undefined ? { kind: kinds[role], subject } : { kind: kinds[role], subject, target };
}

function commandIn(record: JsonRecord | undefined): string | undefined {
  if (!record) return undefined;
  for (const name of COMMAND_KEYS) {
    const command = commandLine(record[name]);
    if (command !== undefined && command !== '') return command;
  }
  return undefined;
}

function pathIn(record: JsonRecord): string | undefined {
  const single = first(record, PATH_KEYS);
  if (single !== undefined) return single.length > 4096 ? undefined : single;
  for (const name of ['paths', 'files', 'file_paths', 'filePaths']) {
    const list = record[name];
    if (!Array.isArray(list)) continue;
    const entry: unknown = list[0];
    const path = asText(entry) ?? first(asRecord(entry), PATH_KEYS);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** Returns the whole line that agents with their own command language (SWE-agent) write: `open src/calc.py 12`. */
function written(record: JsonRecord | undefined): string | undefined {
  const command = record?.['command'];
  return typeof command === 'string' && command.trim() !== '' ? openingLine(command) : undefined;
}

function wordsOf(record: JsonRecord | undefined): string | undefined {
  return first(record, PATTERN_KEYS) ?? first(record, WORDS_KEYS);
}

/** Returns the question of a tool that asks: it takes one question or a list of them. */
function questionIn(record: JsonRecord | undefined): string | undefined {
  const list = record?.['questions'];
  return first(asRecord(Array.isArray(list) ? (list[0] as unknown) : undefined), QUESTION_KEYS) ?? wordsOf(record);
}

function wordsIn(record: JsonRecord | undefined, otherwise: string): string {
  return first(record, WORDS_KEYS) ?? bareToolName(otherwise);
}

/**
 * Returns the text under the first of these names that has one. A call has a handful of arguments and there are up to twenty names, so the record's
 * own names are looked up rather than each name of the list.
 */
function first(record: JsonRecord | undefined, names: ReadonlyMap<string, number>): string | undefined {
  if (!record) return undefined;
  let found: string | undefined;
  let place = Number.POSITIVE_INFINITY;
  for (const name of Object.keys(record)) {
    const at = names.get(name);
    if (at === undefined || at >= place) continue;
    const value = record[name];
    if (typeof value !== 'string' || value === '') continue;
    found = value;
    place = at;
  }
  return found;
}

/** Returns the names with their rank. */
function placesOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, at) => [name, at]));
}

/** Returns the first line that is not blank. Only the beginning of a long text is searched. */
function openingLine(text: string): string {
  const head = text.length > 2000 ? text.slice(0, 2000) : text;
  const start = head.length - head.trimStart().length;
  return pieceOf(head, start, start + firstLine(head.slice(start)).length);
}
