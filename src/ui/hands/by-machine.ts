import type { AgentView, Delivery, Incident, RecoveryAction } from '../../model';
import type { AgentMessages, AgentRecovery } from './hands';

/** Messages to an agent by the way of the machine it runs on. */
export class MessagesByMachine implements AgentMessages {
  constructor(
    private readonly here: AgentMessages,
    private readonly there: AgentMessages,
  ) {}

  draft(view: AgentView) {
    return this.of(view).draft(view);
  }

  reach(view: AgentView) {
    return this.of(view).reach(view);
  }

  isConnected(view: AgentView) {
    return this.of(view).isConnected(view);
  }

  canConnect(view: AgentView) {
    return this.of(view).canConnect(view);
  }

  notTested(view: AgentView) {
    return this.of(view).notTested(view);
  }

  send(view: AgentView, text: string, incident: Incident | undefined) {
    return this.of(view).send(view, text, incident);
  }

  canWithdraw(view: AgentView) {
    return this.of(view).canWithdraw(view);
  }

  withdraw(view: AgentView, id: string) {
    return this.of(view).withdraw(view, id);
  }

  sendAgain(view: AgentView, delivery: Delivery) {
    return this.of(view).sendAgain(view, delivery);
  }

  private of({ machine }: AgentView): AgentMessages {
    return machine ? this.there : this.here;
  }
}

/** The same for recovery. */
export class RecoveryByMachine implements AgentRecovery {
  readonly onDidChange: AgentRecovery['onDidChange'];

  constructor(
    private readonly here: AgentRecovery,
    private readonly there: AgentRecovery,
  ) {
    this.onDidChange = (listener) => {
      const both = [here.onDidChange(listener), there.onDidChange(listener)];
      return { dispose: () => both.forEach((one) => one.dispose()) };
    };
  }

  shown(view: AgentView, incident: Incident | undefined) {
    return this.of(view).shown(view, incident);
  }

  helpedBefore(view: AgentView, incident: Incident | undefined) {
    return this.of(view).helpedBefore(view, incident);
  }

  act(view: AgentView, incident: Incident | undefined, action: RecoveryAction) {
    return this.of(view).act(view, incident, action);
  }

  chooseRestart(view: AgentView) {
    return this.of(view).chooseRestart(view);
  }

  stop(view: AgentView) {
    return this.of(view).stop(view);
  }

  hold(view: AgentView, incident: Incident | undefined, on: boolean) {
    this.of(view).hold(view, incident, on);
  }

  saveCheckpoint(view: AgentView) {
    return this.of(view).saveCheckpoint(view);
  }

  copyRestartCommand(view: AgentView) {
    return this.of(view).copyRestartCommand(view);
  }

  waitsForClose(view: AgentView) {
    return this.of(view).waitsForClose(view);
  }

  surfaceOf(view: AgentView) {
    return this.of(view).surfaceOf(view);
  }

  surfaceLeft(view: AgentView) {
    return this.of(view).surfaceLeft(view);
  }

  isInFront(view: AgentView) {
    return this.of(view).isInFront(view);
  }

  goTo(view: AgentView) {
    return this.of(view).goTo(view);
  }

  private of({ machine }: AgentView): AgentRecovery {
    return machine ? this.there : this.here;
  }
}
