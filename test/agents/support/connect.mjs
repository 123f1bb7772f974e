// Connects an agent to its inbox, as *Connect Agent* does.
import { join } from 'node:path';

/** The bridge as the window has it. Null if this agent has none. */
export function bridgeOf(agent, sandbox, env, { parts, folder }) {
  const bridges = parts.createBridges({
    hookFolder: join(sandbox.root, 'storage/hook'),
    hookFiles: async () => parts.readHookFiles(folder, await parts.findRuntimes(process.execPath, undefined)),
    home: sandbox.home,
    env,
    now: Date.now,
  });
  return bridges.get(agent.id) ?? null;
}

/** Connects the agent as the command does: makes the plan, then writes what it shows. */
export async function connect(bridge, sandbox, scope) {
  const target = { ...placeOf(sandbox), scope };
  const plan = await bridge.plan(target);
  if (!plan.ok) throw new Error(`no plan to connect: ${plan.error.message}`);
  const connected = await bridge.connect(plan.value);
  if (!connected.ok) throw new Error(`not connected: ${connected.error.message}`);
}

/** `workspace`: where the agent works. */
export function placeOf({ workspace, opened }) {
  return { folder: workspace, workspaceFolders: [opened] };
}
