import type { LocateEnvironment, Peek, TranscriptRoot } from '../transcripts';
import { asText, parseRecord, sessionOfFile, withoutEnd } from '../shared/decode';
import { firstLine } from '../../base/util/text';

/**
 * Returns where transcripts are: `projects/<working directory with dashes>/chats/<session id>.jsonl`; those of sub-agents in `subagents/<session
 * id>/agent-<id>.jsonl`.
 */
export function locate(environment: LocateEnvironment): readonly TranscriptRoot[] {
  const home = environment.env['QWEN_HOME'] || `${environment.home}/.qwen`;
  return [
    {
      path: `${home}/projects`,
      depth: 3,
      matches: (path) => /^[^/]+\/(?:chats\/|subagents\/[^/]+\/agent-)[^/]+\.jsonl$/.test(path),
      enters: (folder) => /^[^/]+(?:\/(?:chats|subagents(?:\/[^/]+)?))?$/.test(folder),
      mayBelong,
      holdsOthers: (folder) => /^[^/]+(?:\/chats)?$/.test(folder),
    },
  ];
}

/**
 * Returns whether a folder may hold sessions of a workspace. Its name has a dash for each character of the path that is not a letter or a digit;
 * Windows writes it in lower case.
 */
export function mayBelong(relativeFolder: string, workspaceFolders: readonly string[]): boolean {
  const [name = '', below] = relativeFolder.toLowerCase().split('/');
  if (below !== undefined && below !== 'chats' && below !== 'subagents') return false;
  return workspaceFolders.some((folder) => {
    const whole = withoutEnd(folder, '/\\')
      .replace(/[^A-Za-z0-9]/g, '-')
      .toLowerCase();
    return name === whole || name.startsWith(`${whole}-`);
  });
}

const HEAD = /^\s*\{"uuid":"[^"]{1,80}","parentUuid":(?:null|"[^"]{1,80}"),"sessionId":"[^"]{1,200}"/;

export function recognises(head: string): 'yes' | 'maybe' | 'no' {
  const first = firstLine(head);
  if (!HEAD.test(first)) return 'no';
  // Claude Code has almost the same envelope; its messages have `content`, these have `parts`.
  if (
    /"type":"(?:user|assistant|tool_result)"/.test(first) &&
    /"message":\{"role":"(?:user|model)","parts":\[/.test(first)
  )
    return 'yes';
  return /"systemPayload":|"subtype":"(?:ui_telemetry|attribution_snapshot|slash_command|custom_title|chat_compression)"/.test(
    first,
  )
    ? 'yes'
    : 'no';
}

export function peek(head: string, file: string): Peek {
  const record = parseRecord(firstLine(head));
  const text = (name: string): string | undefined =>
    asText(record?.[name]) ?? new RegExp(`"${name}":"([^"\\\\]{1,4000})"`).exec(head.slice(0, 2000))?.[1];
  const cwd = text('cwd');
  const session = text('sessionId');
  const isChild = record?.['isSidechain'] === true && session !== undefined;
  return {
    // A sub-agent's session is named after its file: its records carry the session of its parent.
    session: isChild || session === undefined ? sessionOfFile(file) : session,
    ...(isChild && { parent: session }),
    ...(cwd !== undefined && { cwd }),
  };
}
