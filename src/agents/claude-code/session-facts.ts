import type { PermissionMode, SessionMode } from '../../core/model';
import type { DecoderContext } from '../decoder';
import { asText, at, parseRecord } from '../shared/decode';
import type { Chain, ClaudeRecord, ChainEmitter } from './chain';
import { promptText } from './prompt';
import type { SideChains } from './side-chains';

/**
 * Emits what the envelope of a line says about its session, if that is new. The working directory is the first one: later lines follow the agent's
 * `cd`.
 */
export function emitFacts(emitter: ChainEmitter, chain: Chain, record: ClaudeRecord): void {
  const { row } = record;
  const cwd = chain.facts.cwd === undefined ? asText(row['cwd']) : undefined;
  const changed = chain.facts.update({
    cwd,
    branch: asText(row['gitBranch']),
    version: asText(row['version']),
    mode: modeOf(asText(row['entrypoint'])),
    permissionMode: permissionModeOf(asText(row['permissionMode'])),
  });
  if (!changed) return;
  const parent = cwd === undefined ? undefined : chain.parent;
  emitter.emit(chain, record, { type: 'session_info', ...changed, ...(parent !== undefined && { parent }) });
}

/** `cli` and editor panels (`claude-vscode`) keep the session after a turn; the SDK and `-p` end with it. */
function modeOf(entrypoint: string | undefined): SessionMode | undefined {
  if (entrypoint === undefined) return undefined;
  if (entrypoint.startsWith('sdk')) return 'print';
  if (entrypoint.startsWith('claude-')) return 'panel';
  return entrypoint === 'cli' ? 'interactive' : undefined;
}

/** `plan` asks before it leaves the plan. In `auto` a model decides; in `dontAsk` anything that is not allowed is refused. */
export function permissionModeOf(permissionMode: string | undefined): PermissionMode | undefined {
  switch (permissionMode) {
    case 'default':
    case 'plan':
      return 'all';
    case 'acceptEdits':
      return 'commands';
    case 'auto':
    case 'bypassPermissions':
    case 'dontAsk':
      return 'nothing';
    default:
      return undefined;
  }
}

/** Emits the title and role of a sub-agent, from the small file next to its own (written a moment later), or from the call that started it. */
export function emitSubAgent(
  emitter: ChainEmitter,
  chain: Chain,
  record: ClaudeRecord,
  side: SideChains,
  context: DecoderContext,
): void {
  const prompt = record.row['type'] === 'user' ? promptText(at(record.row, 'message', 'content')) : '';
  const described = prompt === '' ? undefined : side.describe(chain, prompt);
  if (described) {
    chain.naming.done = true;
    emitter.emit(chain, record, { type: 'session_info', ...described });
    return;
  }
  const meta = chain.session.startsWith('agent-')
    ? parseRecord(context.readSmall(metaFile(context.file)) ?? '')
    : undefined;
  const title = asText(meta?.['description']);
  const role = asText(meta?.['agentType']);
  chain.naming.attempts++;
  if (title === undefined && role === undefined) {
    if (prompt !== '' && !chain.prompted) {
      chain.prompted = true;
      emitter.emit(chain, record, { type: 'session_info', title: prompt });
    }
    if (chain.naming.attempts >= ATTEMPTS) chain.naming.done = true;
    return;
  }
  chain.naming.done = true;
  emitter.emit(chain, record, {
    type: 'session_info',
    ...(title !== undefined && { title }),
    ...(role !== undefined && { role }),
  });
}

/** Lines at which the small file is looked for before the search is given up. */
const ATTEMPTS = 5;

function metaFile(file: string): string {
  return file.replace(/\.jsonl$/, '.meta.json');
}
