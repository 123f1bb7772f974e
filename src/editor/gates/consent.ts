import { basename } from 'node:path';
import type { Gate } from '../../recover/gates/gate';
import { cutWords } from '../../core/words/format';
import type { Agreements, KnownGates } from './agreements';
import { openMachineSetting } from '../settings/open';
import { askFirst, showError, inform, warn } from '../voice';

const RUN = { once: 'Run Once', always: 'Always Run When an Agent Finishes' } as const;

/** Asks a person to agree to the exact commands of quality gates. */
export class GateConsent {
  /** Folders whose changed commands were already shown, with the commands. */
  private readonly shown = new Set<string>();

  constructor(private readonly agreements: Agreements) {}

  /** Notifies the person when an agent is done and the commands are no longer those agreed to: once for each change. */
  async notifyChanged(folder: string): Promise<void> {
    const known = await this.agreements.gatesOf(folder);
    const commands = `${folder}\n${known.gates.map(({ command, runs }) => `${command} ${runs ?? ''}`).join('\n')}`;
    if (!known.changed || this.shown.has(commands)) return;
    this.shown.add(commands);
    const text = `The quality gates of ${basename(folder)} have changed since you agreed to them, so they did not run.`;
    if ((await warn(text, 'Review')) === 'Review') {
      await this.mayRun(folder, known);
    }
  }

  /** Returns true if exactly these commands were agreed to before, or are now. */
  async mayRun(folder: string, known: KnownGates): Promise<boolean> {
    const { gates, agreed, trouble } = known;
    if (trouble !== undefined) {
      const settings = 'Open Settings';
      if ((await showError(trouble, settings)) === settings) await openMachineSetting('unstuck.gates');
      return false;
    }
    if (gates.length === 0) {
      const settings = 'Open Settings';
      const text = `No test, lint or build command was found in ${basename(folder)}. Add them in the settings.`;
      if ((await inform(text, settings)) === settings) await openMachineSetting('unstuck.gates.commands');
      return false;
    }
    if (agreed) return true;
    const text = known.changed
      ? `The quality gates of ${basename(folder)} have changed. Run these commands?`
      : `Run these commands in ${basename(folder)}?`;
    const note =
      'They run code from this folder, including code written by agents. Unstuck asks again when they change.';
    const detail = [...gates.map(lineOf), '', note];
    // The first button has the focus, so it must not agree to more than this run.
    const answer = await askFirst({ message: text, detail }, RUN.once, RUN.always);
    if (answer === RUN.always) await this.agreements.agree(folder, gates);
    return answer !== undefined;
  }
}

function lineOf({ name, command, runs, cwd }: Gate): string {
  const line = `${name}: ${command}`;
  const where = cwd === undefined ? line : `${line} in ${cwd}`;
  return runs === undefined ? where : `${where}  (${cutWords(runs, 200)})`;
}
