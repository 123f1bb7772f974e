import { asText, Recent, type JsonRecord } from '../shared/decode';
import { type Chain, type ClaudeRecord, createChain, endTurn, type ChainEmitter } from './chain';

const KEPT_LINES = 4000;
const KEPT_CALLS = 100;

interface Started {
  readonly id: string;
  readonly title: string | undefined;
  readonly role: string | undefined;
}

/**
 * Sub-agents whose lines appear between those of their parent (versions 1.0, `isSidechain` without a file of their own). Each prompt without a parent
 * begins one; the lines after it are linked to it by `parentUuid`. Their session is `<parent>-side<n>`.
 */
export interface SideChains {
  chainOf(row: JsonRecord, mainSession: string): Chain;
  started(id: string, input: JsonRecord | undefined): void;
  ended(emitter: ChainEmitter, id: string, record: ClaudeRecord): void;
  /** Returns the title and role of a chain with this first prompt, from the call that started it. */
  describe(chain: Chain, prompt: string): { readonly title?: string; readonly role?: string } | undefined;
}

export function createSideChains(): SideChains {
  const chains = new Map<string, Chain>();
  const byLine = new Recent<string, Chain>(KEPT_LINES);
  const byPrompt = new Recent<string, Started>(KEPT_CALLS);
  const byCall = new Recent<string, Chain>(KEPT_CALLS);
  let last: Chain | undefined;
  let count = 0;

  function make(session: string, parent: string): Chain {
    let chain = chains.get(session);
    if (!chain) {
      chain = createChain(session, parent, true);
      chains.set(session, chain);
    }
    return chain;
  }

  return {
    chainOf(row, mainSession) {
      const agentId = asText(row['agentId']);
      const parentLine = asText(row['parentUuid']);
      const uuid = asText(row['uuid']);
      let chain: Chain;
      if (agentId !== undefined) chain = make(`agent-${agentId}`, mainSession);
      else {
        const known = parentLine === undefined ? undefined : (byLine.get(parentLine) ?? last);
        chain = known ?? make(`${mainSession}-side${++count}`, mainSession);
      }
      if (uuid !== undefined) byLine.set(uuid, chain);
      last = chain;
      return chain;
    },
    started(id, input) {
      const prompt = asText(input?.['prompt']);
      if (prompt === undefined) return;
      byPrompt.set(prompt, { id, title: asText(input?.['description']), role: asText(input?.['subagent_type']) });
    },
    ended(emitter, id, record) {
      const chain = byCall.get(id);
      if (!chain) return;
      byCall.delete(id);
      if (chain.turn === 'open') endTurn(emitter, chain, record, 'done');
    },
    describe(chain, prompt) {
      const call = byPrompt.get(prompt);
      if (!call) return undefined;
      byCall.set(call.id, chain);
      return {
        ...(call.title !== undefined && { title: call.title }),
        ...(call.role !== undefined && { role: call.role }),
      };
    },
  };
}
