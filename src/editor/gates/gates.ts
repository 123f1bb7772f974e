import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { QualityGates } from '../../recover/gates/quality-gates';
import { gatePlace } from '../../recover/gates/place';
import type { AgentView, GateReport } from '../../core/model';
import { signs, signsInLine } from '../../base/util/showable';
import { gateSign, gatesInShort, gateWords } from '../../core/words';
import { type Gate, consentText } from '../../recover/gates/gate';
import { DisposableStore } from '../../base/util/disposable';
import { whole } from '../../base/util/counts';
import type { Services } from '../services';
import type { Agreements, KnownGates } from './agreements';
import type { GateConsent } from './consent';
import { GateProblems, failurePath } from './problems';
import { inform, pickOne, warn, withProgress } from '../voice';

/** Lets a person run quality gates, open what failed and send it to the agent. */
export class GatesUi implements vscode.Disposable {
  private readonly owned = new DisposableStore();
  private readonly problems = this.owned.add(new GateProblems());
  private readonly output = this.owned.add(vscode.window.createOutputChannel('Unstuck Gates'));

  constructor(
    private readonly services: Services,
    private readonly gates: QualityGates,
    private readonly agreements: Agreements,
    private readonly consent: GateConsent,
  ) {
    this.owned.add(gates.onDidChange((report) => this.changed(report)));
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Asks for consent if there is none, runs the gates of an agent's folder or of an open folder, and shows the outcome. */
  async run(view: AgentView | undefined): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      void warn('Quality gates are off until you trust this folder.');
      return;
    }
    const folder = view ? gatePlace(view, this.services.folders())?.root : await this.pickFolder();
    if (folder === undefined) {
      if (view) void warn('This agent works in a folder that is not open here.');
      return;
    }
    const gates = await this.agreedGates(folder, await this.agreements.gatesOf(folder));
    if (!gates) return;
    this.gates.configure();
    const report = await this.runShown(folder, gates, view?.session);
    await this.notify(report, view);
  }

  /** Sends the failures of an agent's last run to the agent. */
  async send(view: AgentView): Promise<void> {
    const report = await this.gates.send(view.session);
    if (report?.message !== undefined) void inform('Failures queued for the agent.');
    else {
      const why = report?.notSent ? report.notSent : 'no gates have run on its work';
      void warn(`Nothing was sent: ${why}.`);
    }
  }

  /** Opens the file of a failure if it is in the folder that the gates ran in. */
  async openFailure(view: AgentView, gate: string, place: number): Promise<void> {
    const failure = view.gates?.results.find(({ id }) => id === gate)?.failures[place];
    const path = failure && view.gates ? failurePath(failure, view.gates.folder) : null;
    if (!failure || path === null) {
      this.output.show(true);
      return;
    }
    const at = new vscode.Position(Math.max(0, (failure.line ?? 1) - 1), Math.max(0, (failure.column ?? 1) - 1));
    await vscode.window.showTextDocument(vscode.Uri.file(path), { selection: new vscode.Range(at, at) });
  }

  cancel(view: AgentView): void {
    if (!this.gates.cancel(view.session)) void inform('No quality gates are running.');
  }

  /** Withdraws a consent. */
  async forget(): Promise<void> {
    const folders = this.agreements.agreedFolders();
    if (folders.length === 0) {
      void inform('No quality gates run automatically.');
      return;
    }
    const items = folders.map((folder) => ({ label: basename(folder), description: folder, folder }));
    const picked = await pickOne(items, {
      placeHolder: 'Turn off automatic quality gates in which folder?',
    });
    if (picked && (await this.agreements.forget(picked.folder))) {
      this.gates.configure();
      void inform(`Quality gates in ${picked.label} now run only when you start them.`);
    }
  }

  /** Returns the gates if the person agrees to them as they are now: what a command starts may change while the question is read. */
  private async agreedGates(folder: string, known: KnownGates): Promise<readonly Gate[] | null> {
    if (!(await this.consent.mayRun(folder, known))) return null;
    const now = await this.agreements.gatesOf(folder);
    if (consentText(now.gates) === consentText(known.gates)) return known.gates;
    return this.agreedGates(folder, { ...now, changed: true });
  }

  private async pickFolder(): Promise<string | undefined> {
    const folders = this.services.folders();
    if (folders.length === 0) {
      void inform('Open a folder to run its quality gates.');
      return undefined;
    }
    if (folders.length === 1) return folders[0];
    const items = folders.map((folder) => ({ label: basename(folder), description: folder, folder }));
    return (
      await pickOne(items, {
        placeHolder: 'Run the quality gates of which folder?',
      })
    )?.folder;
  }

  private async runShown(folder: string, gates: readonly Gate[], session: string | undefined): Promise<GateReport> {
    const title = `Quality gates of ${basename(folder)}`;
    return withProgress(title, { location: 'notification', cancellable: true }, async (report, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      return this.gates.run({
        folder,
        gates,
        ...(session !== undefined && { session }),
        signal: abort.signal,
        onProgress: ({ results }) => {
          const running = results.filter(({ status }) => status === 'running').map(({ name }) => name);
          const done = results.filter(({ ms }) => ms > 0).length;
          report(`${running.join(', ')} (${whole(done)} of ${whole(results.length)} done)`);
        },
      });
    });
  }

  private async notify(report: GateReport, view: AgentView | undefined): Promise<void> {
    const text = `Quality gates of ${basename(report.folder)}: ${gatesInShort(report)}.`;
    if (report.verdict === 'passed' || report.verdict === 'cancelled') {
      void inform(text);
      return;
    }
    const buttons = [
      'Show Output',
      ...(report.verdict === 'failed' ? ['Show Problems'] : []),
      ...(view ? ['Send to Agent'] : []),
    ];
    const answer = await warn(text, ...buttons);
    if (answer === 'Show Output') this.output.show(true);
    else if (answer === 'Show Problems') await vscode.commands.executeCommand('workbench.actions.view.problems');
    else if (answer === 'Send to Agent' && view) await this.send(view);
  }

  /** Writes down what ended, so that nothing that a gate printed is lost. */
  private changed(report: GateReport): void {
    if (report.endedAt === null) return;
    this.problems.show(report);
    const now = this.services.now();
    const said = report.claim === '' ? 'started by you' : `after ${signsInLine(report.claim)}`;
    this.output.appendLine(
      `${new Date(report.endedAt).toISOString()} ${report.folder}, ${said}: ${gatesInShort(report)}`,
    );
    for (const gate of report.results) {
      this.output.appendLine(
        `${gateSign(gate.status)} ${gate.name}: ${gateWords(gate, now)}  (${signsInLine(gate.command)})`,
      );
      if (gate.output !== '') this.output.appendLine(signs(gate.output).replaceAll(/^/gm, '    '));
    }
    if (report.notSent) this.output.appendLine(`The agent was not notified: ${report.notSent}.`);
  }
}
