import { inboxFolder } from '../inbox/folder';
import type { LocateEnvironment, Peek, SessionFiles, TranscriptRoot } from '../transcripts';
import type { DecoderContext } from '../decoder';
import { asText, at, baseName, folderOf, parseRecord, sessionOfFile } from '../shared/decode';
import { editorData } from '../../base/files';
import { firstLine } from '../../base/util/text';

/** Builds of VS Code that include the chat agent, by the name of their folder for a user's data. */
const PRODUCTS = ['Code', 'Code - Insiders', 'VSCodium'];

const TRANSCRIPT = /(?:^|\/)GitHub\.copilot-chat\/transcripts\/[^/]+\.jsonl$/;
const LOG = /(?:^|\/)chatSessions\/[^/]+\.jsonl$/;
const DEBUG = /(?:^|\/)GitHub\.copilot-chat\/debug-logs\/[^/]+\/main\.jsonl$/;
/** Folders that lead from `workspaceStorage` to either file. */
const LEADS = /^[^/]+(?:\/(?:chatSessions|GitHub\.copilot-chat(?:\/transcripts)?))?$/;

/** Returns the kind of a session's file by its path. */
export function fileKind(file: string): 'transcript' | 'log' | 'debug' | 'other' {
  const path = file.replaceAll('\\', '/');
  if (TRANSCRIPT.test(path)) return 'transcript';
  return LOG.test(path) ? 'log' : DEBUG.test(path) ? 'debug' : 'other';
}

/**
 * Returns this window's own storage first, if the extension runs in VS Code; then, by path, the storage of all windows of the builds we know. Windows
 * without a folder keep their sessions elsewhere, and are not looked for.
 */
export function locate(environment: LocateEnvironment): readonly TranscriptRoot[] {
  const { editor } = environment;
  const matches = (path: string) => fileKind(path) === 'transcript' || fileKind(path) === 'log';
  const own = editor?.storage.replaceAll('\\', '/');
  const roots: TranscriptRoot[] = editorData(environment, PRODUCTS).map((path) => ({
    path: `${path}/User/workspaceStorage`,
    depth: 3,
    matches,
    enters: (folder) => LEADS.test(folder) && own !== `${path}/User/workspaceStorage/${folder}`.replaceAll('\\', '/'),
  }));
  if (editor) {
    roots.unshift({
      path: editor.storage,
      depth: 2,
      matches,
      enters: (folder) => LEADS.test(`w/${folder}`),
      cwd: editor.folder,
    });
  }
  return roots;
}

/** Recognises the first line, into which VS Code writes its build; Copilot CLI, whose records are similar, does not. */
export function recognises(head: string, file: string): 'yes' | 'maybe' | 'no' {
  const first = firstLine(head);
  switch (fileKind(file)) {
    case 'transcript':
      return /^\{"type":\s?"[a-z_.]{1,40}"/.test(first) && first.includes('"data"') ? 'yes' : 'no';
    case 'log':
      return /^\{"kind":\s?[0-3],/.test(first) ? 'yes' : 'no';
    case 'debug':
      return first.startsWith('{"ts":') ? 'yes' : 'no';
    case 'other':
      if (/^\{"kind":\s?0,/.test(first) && /"requests":\s?\[/.test(first) && first.includes('"creationDate"'))
        return 'yes';
      // Copilot's own store, into which VS Code's other agents write too.
      if (file.replaceAll('\\', '/').includes('/session-state/')) return 'no';
      return first.includes('"vscodeVersion"') && /^\{"type":\s?"session\.start"/.test(first) ? 'yes' : 'no';
  }
}

/** Reads the session from the records, and the workspace from the place of the file. */
export function peek(head: string, file: string, readSmall?: DecoderContext['readSmall']): Peek {
  const record = parseRecord(firstLine(head));
  const session =
    asText(at(record, 'data', 'sessionId')) ?? asText(at(record, 'v', 'sessionId')) ?? sessionOfFile(file);
  const cwd = workspaceOf(file, readSmall);
  return { session, ...(cwd !== undefined && { cwd }) };
}

/**
 * Returns the folder of the workspace whose storage holds the file. Undefined for folders of other machines, and for workspaces of several folders.
 */
export function workspaceOf(file: string, readSmall: DecoderContext['readSmall'] | undefined): string | undefined {
  const storage = storageOf(file);
  const text = storage === undefined ? undefined : readSmall?.(`${storage}/workspace.json`);
  const uri = text === undefined ? undefined : asText(parseRecord(text)?.['folder']);
  return uri === undefined ? undefined : pathOf(uri);
}

function pathOf(uri: string): string | undefined {
  const match = /^file:\/\/(\/.{0,4000})$/.exec(uri);
  if (!match?.[1]) return undefined;
  try {
    const path = decodeURIComponent(match[1]);
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
  } catch {
    return undefined;
  }
}

/** Returns the workspace storage that contains one of its session files. */
function storageOf(file: string): string | undefined {
  switch (fileKind(file)) {
    case 'transcript':
      return folderOf(folderOf(folderOf(file)));
    case 'log':
      return folderOf(folderOf(file));
    case 'debug':
      return folderOf(folderOf(folderOf(folderOf(file))));
    case 'other':
      return undefined;
  }
}

/** Returns the files of a session. The transcript is followed if there is one: its lines are the steps. The log is rewritten now and then. */
export function sessionFiles(file: string, cwd: string | undefined): SessionFiles {
  const storage = storageOf(file);
  if (storage === undefined) return { main: file, companions: [] };
  const session = fileKind(file) === 'debug' ? baseName(folderOf(file)) : sessionOfFile(file);
  const name = `${session}.jsonl`;
  const log = `${storage}/chatSessions/${name}`;
  const debug = `${storage}/GitHub.copilot-chat/debug-logs/${session}/main.jsonl`;
  // Next to the messages, our hook records the outcome of a call, and that a message was taken.
  const inbox = cwd === undefined ? undefined : inboxFolder(cwd, session).path;
  const own = inbox === undefined ? [] : [`${inbox}/calls.jsonl`, `${inbox}/receipts.jsonl`];
  return { main: `${storage}/GitHub.copilot-chat/transcripts/${name}`, companions: [log, debug, ...own] };
}
