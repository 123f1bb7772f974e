import type { LocateEnvironment, TranscriptRoot } from '../transcripts';
import { asText, folderOf, parseJson, sessionOfFile } from '../shared/decode';

const TRANSCRIPT = /^agent-transcripts\/(?:[^/]+\/(?:subagents\/)?)?[^/]+\.jsonl$/;

/**
 * Returns where transcripts are. Folders are named after the working directory, with a dash for anything but letters and digits. The folder of the
 * open workspace is found by its name: a session of texts alone does not say where it works.
 */
export function locate({ home, editor }: LocateEnvironment): readonly TranscriptRoot[] {
  const projects = `${home}/.cursor/projects`;
  const own = editor && folderName(editor.folder);
  const roots: TranscriptRoot[] = [
    {
      path: projects,
      depth: 4,
      matches: (path) => TRANSCRIPT.test(path.slice(path.indexOf('/') + 1)),
      enters: (folder) => folder.split('/')[0] !== own && /^[^/]+(?:\/agent-transcripts(?:\/.*)?)?$/.test(folder),
    },
  ];
  if (editor && own) {
    roots.unshift({
      path: `${projects}/${own}`,
      depth: 3,
      matches: (path) => TRANSCRIPT.test(path),
      enters: (folder) => folder === 'agent-transcripts' || folder.startsWith('agent-transcripts/'),
      cwd: editor.folder,
    });
  }
  return roots;
}

function folderName(folder: string): string {
  return folder
    .split(/[^A-Za-z0-9]/)
    .filter((part) => part !== '')
    .join('-');
}

/** Returns the session of a file, and its parent: a sub-agent's file is in a folder of its parent. */
export function placeOf(file: string): { readonly session: string; readonly parent?: string } {
  const session = sessionOfFile(file);
  const [parent, folder] = file.split(/[\\/]/).slice(-3);
  return { session, ...(folder === 'subagents' && parent && { parent }) };
}

const PLACE = /"(working_directory|path)":\s?("(?:\/|[A-Za-z]:)(?:[^"\\\n]|\\[^\n]){1,2000}")/g;
const MOST = 200;

/** Returns the folder of the first command that names one, else of the first file with an absolute path. Cursor's own notes are below `.cursor`. */
export function workplaceIn(head: string): string | undefined {
  let folder: string | undefined;
  let seen = 0;
  for (const [, name, raw = ''] of head.matchAll(PLACE)) {
    if (++seen > MOST) break;
    const path = asText(parseJson(raw));
    if (path === undefined || /[\\/]\.cursor[\\/]/.test(path)) continue;
    if (name === 'working_directory') return path;
    folder ??= folderOf(path);
  }
  return folder || undefined;
}
