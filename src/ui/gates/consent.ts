import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Gate } from '../../recover/gates/gate';
import { cutWords } from '../../words/format';
import { signsInLine } from '../../util/showable';
import type { Agreements, KnownGates } from './agreements';
import { openMachineSetting } from '../settings/open';

const RUN = { always: 'Run, and Whenever an Agent Is Done', once: 'Run Once' } as const;

/** Asks a person to agree to the exact commands of quality gates. */
export class GateConsent {
  /** Folders whose changed commands were shown, with the commands. */
  private readonly shown = new Set<string>();

  constructor(private readonly agreements: Agreements) {}

  /** An agent is done, and the commands are not those that the person agreed to any more: shown once for each change. */
  async tellChanged(folder: string): Promise<void> {
    const known = await this.agreements.gatesOf(folder);
    const commands = `${folder}\n${known.gates.map(({ command, runs }) => `${command} ${runs ?? ''}`).join('\n')}`;
    if (!known.changed || this.shown.has(commands)) return;
    this.shown.add(commands);
    const text = `The quality gates of ${basename(folder)} are not those that you agreed to, so they did not run.`;
    if ((await vscode.window.showWarningMessage(text, 'Look at Them')) === 'Look at Them') {
      await this.mayRun(folder, known);
    }
  }

  /** True where these very commands were agreed to, or are now. */
  async mayRun(folder: string, known: KnownGates): Promise<boolean> {
    const { gates, agreed, trouble } = known;
    if (trouble !== undefined) {
      const settings = 'Open Settings';
      if ((await vscode.window.showErrorMessage(trouble, settings)) === settings)
        await openMachineSetting('unstuck.gates');
      return false;
    }
    if (gates.length === 0) {
      const settings = 'Open Settings';
      const text = `No test, lint or build command was found in ${basename(folder)}. Name them in the settings.`;
      if ((await vscode.window.showInformationMessage(text, settings)) === settings)
        await openMachineSetting('unstuck.gates.commands');
      return false;
    }
    if (agreed) return true;
    const text = known.changed
      ? `The quality gates of ${basename(folder)} have changed. Run these commands?`
      : `Run these commands in ${basename(folder)}?`;
    const note = 'They run code of this folder, also what an agent wrote there. You are asked again when they change.';
    const detail = `${gates.map(lineOf).join('\n')}\n\n${note}`;
    const answer = await vscode.window.showWarningMessage(text, { modal: true, detail }, RUN.always, RUN.once);
    if (answer === RUN.always) await this.agreements.agree(folder, gates);
    return answer !== undefined;
  }
}

function lineOf({ name, command, runs, cwd }: Gate): string {
  const line = `${signsInLine(name)}: ${signsInLine(command)}`;
  const where = cwd === undefined ? line : `${line} in ${cwd}`;
  return runs === undefined ? where : `${where}  (${cutWords(signsInLine(runs), 200)})`;
}
