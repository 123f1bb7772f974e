// A vendor's agent on a machine of a fleet, installed and driven as in test/agents, with a relay next to it.
import { ScriptedModel } from '../../agents/model/server.mjs';
import { bridgeOf, connect } from '../../agents/support/connect.mjs';
import { Sandbox } from '../../agents/support/sandbox.mjs';
import { connected, Machine, Servers, viewer } from './fleet.mjs';

/** Message servers, the machine "alpha" with an agent, and a window elsewhere. */
export class VendorFleet {
  /**
   * @param {object} options
   * @param {object} options.agent of test/agents/agents
   * @param {string} options.program where it is installed
   * @param {object} options.built what test/agents/support/build.mjs made
   * @param {{ host: string, prefix: string[] } | null} options.network the namespace of the machine; null: it has none
   * @param {string} options.allow what its relay lets a window do
   * @param {boolean} options.hooked connects the agent by its hooks
   */
  static async start({ agent, program, built, network, allow, hooked }) {
    const fleet = new VendorFleet();
    fleet.prefix = network?.prefix ?? [];
    fleet.servers = await Servers.start({ machines: ['alpha'], viewers: ['me'], count: 3, host: network?.host });
    // Outside the namespace, so that the agent reaches it as it would reach the vendor's.
    fleet.model = await ScriptedModel.start(network?.host);
    const sandbox = new Sandbox(`fleet-${agent.id}`);
    fleet.sandbox = sandbox;
    const { address } = fleet.model;
    const { NO_PROXY } = sandbox.env;
    fleet.env = { NO_PROXY: `${NO_PROXY},${address.split(':')[0]}`, ...agent.environment(sandbox, address, program) };
    agent.prepare(sandbox, address);
    if (hooked) await connect(bridgeOf(agent, sandbox, { ...sandbox.env, ...fleet.env }, built), sandbox, agent.scope);
    console.log(await agent.trust(sandbox, { program, env: fleet.env, bridge: null }));
    const places = { home: sandbox.home, project: sandbox.workspace };
    fleet.machine = new Machine('alpha', fleet.servers, { prefix: fleet.prefix, allow, ...places });
    await fleet.machine.started();
    fleet.window = await connected(viewer(fleet.servers));
    return fleet;
  }

  /** Starts a program on the machine, in the project. */
  run(argv, options = {}) {
    this.running = this.sandbox.start([...this.prefix, ...argv], { ...options, env: this.env });
    return this.running;
  }

  /** The agent as the window sees it. */
  agent() {
    return this.window.agents('alpha')[0];
  }

  /** Its last output, for the report of a failure. */
  lastWords() {
    const { stdout = '', stderr = '', exited } = this.running ?? {};
    const ended = exited ? `exit ${exited.code ?? exited.signal}` : 'still running';
    return [ended, stdout.slice(-1500), stderr.slice(-1500), this.model.tell(), this.machine.notes.join('')].join('\n');
  }

  async stop() {
    this.window?.dispose();
    await this.machine?.stop();
    await this.sandbox?.dispose();
    await this.model?.close();
    await this.servers?.stop();
  }
}
