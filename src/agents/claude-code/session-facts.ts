import type { DecoderContext } from '../adapter';
import { asText, at, parseRecord } from '../shared/decode';
import type { Chain, ClaudeRecord, Teller } from './chain';
import { promptText } from './prompt';
import type { SideChains } from './side-chains';

interface Facts {
  cwd?: string;
  branch?: string;
  version?: string;
  mode?: 'interactive' | 'print';
  parent?: string;
}

/**
 * Tells what the envelope of a line says about its session, where that is new. The working directory is the first one: later lines
 * follow the agent's `cd`.
 */
export function tellFacts(teller: Teller, chain: Chain, record: ClaudeRecord): void {
  const { told } = chain;
  const { row } = record;
  const first = told.cwd === undefined;
  const facts: Facts = {};
  const cwd = first ? asText(row['cwd']) : undefined;
  const branch = asText(row['gitBranch']);
  const version = asText(row['version']);
  const mode = modeOf(asText(row['entrypoint']));
  if (cwd !== undefined) facts.cwd = told.cwd = cwd;
  if (branch !== undefined && branch !== told.branch) facts.branch = told.branch = branch;
  if (version !== undefined && version !== told.version) facts.version = told.version = version;
  if (mode !== undefined && mode !== told.mode) facts.mode = told.mode = mode;
  if (first && cwd !== undefined && chain.parent !== undefined) facts.parent = chain.parent;
  if (Object.keys(facts).length > 0) teller.tell(chain, record, { type: 'session_info', ...facts });
}

/** `cli` and the editors' own entry points keep the session after a turn; the SDK and `-p` end with it. */
function modeOf(entrypoint: string | undefined): 'interactive' | 'print' | undefined {
  if (entrypoint === undefined) return undefined;
  if (entrypoint.startsWith('sdk')) return 'print';
  return entrypoint === 'cli' || entrypoint.startsWith('claude-') ? 'interactive' : undefined;
}

/** Title and role of a sub-agent: the small file beside its own (written a moment later), or the call that started it. */
export function tellSubAgent(
  teller: Teller,
  chain: Chain,
  record: ClaudeRecord,
  side: SideChains,
  context: DecoderContext,
): void {
  const prompt = record.row['type'] === 'user' ? promptText(at(record.row, 'message', 'content')) : '';
  const described = prompt === '' ? undefined : side.describe(chain, prompt);
  if (described) {
    chain.told.named = true;
    teller.tell(chain, record, { type: 'session_info', ...described });
    return;
  }
  const meta = chain.session.startsWith('agent-')
    ? parseRecord(context.readSmall(metaFile(context.file)) ?? '')
    : undefined;
  const title = asText(meta?.['description']);
  const role = asText(meta?.['agentType']);
  chain.told.attempts = (chain.told.attempts ?? 0) + 1;
  if (title === undefined && role === undefined) {
    if (prompt !== '' && !chain.prompted) {
      chain.prompted = true;
      teller.tell(chain, record, { type: 'session_info', title: prompt });
    }
    if (chain.told.attempts >= ATTEMPTS) chain.told.named = true;
    return;
  }
  chain.told.named = true;
  teller.tell(chain, record, {
    type: 'session_info',
    ...(title !== undefined && { title }),
    ...(role !== undefined && { role }),
  });
}

/** Lines at which the small file is looked for before it is given up. */
const ATTEMPTS = 5;

function metaFile(file: string): string {
  return file.replace(/\.jsonl$/, '.meta.json');
}
