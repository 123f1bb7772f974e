import { claudeCode } from './claude-code.mjs';
import { cline } from './cline.mjs';
import { codex } from './codex.mjs';
import { copilotCli } from './copilot-cli.mjs';
import { droid } from './droid.mjs';
import { geminiCli } from './gemini-cli.mjs';
import { grokBuild } from './grok-build.mjs';
import { pi } from './pi.mjs';
import { qwenCode } from './qwen-code.mjs';
import { kiloCode, opencode } from './opencode.mjs';

/** Agents of a run that names none. */
export const AGENTS = [codex, geminiCli, opencode, copilotCli, claudeCode];
/** Relatives of those, driven in the same way: they run only where they are named. */
const BY_NAME = [kiloCode, qwenCode, pi, cline, droid, grokBuild];
export const EVERY_AGENT = [...AGENTS, ...BY_NAME];

/**
 * The agents of a run, each at one version. Without names all of them; several versions of one agent count as separate agents.
 *
 * @param {readonly string[]} names as `codex`, or `codex@0.157.0` for another version than the pinned one
 * @param {boolean} oldest at the oldest version that Unstuck says it was tested with, if that is a different one
 */
export function chosenAgents(names, oldest) {
  if (names.length > 0) {
    return names.map((name) => {
      const [id, version] = name.split('@');
      const agent = EVERY_AGENT.find((one) => one.id === id);
      if (!agent)
        throw new Error(`there is no agent "${id}". Use one of ${EVERY_AGENT.map((one) => one.id).join(', ')}`);
      return { ...agent, version: version ?? (oldest ? (agent.oldest ?? agent.version) : agent.version) };
    });
  }
  if (!oldest) return AGENTS;
  return AGENTS.filter((agent) => agent.oldest !== undefined).map((agent) => ({ ...agent, version: agent.oldest }));
}
