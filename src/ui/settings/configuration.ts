import * as vscode from 'vscode';
import type { RecoverySettings } from '../../engine/recovery/ports';
import { readRecoverySettings } from '../../engine/recovery/settings';
import { Emitter } from '../../util/emitter';
import { setContext } from '../context-keys';
import { type Settings, readSettings } from './settings';

/** The settings as they are now, and whether watching is paused. */
export class Configuration implements vscode.Disposable {
  private current = readSettings(vscode.workspace.getConfiguration('unstuck'));
  private currentRecovery = recoveryOf(this.current);
  private paused = false;
  private readonly changed = new Emitter<void>();
  private readonly pausedOrResumed = new Emitter<void>();
  /** The user changed a setting. */
  readonly onDidChange = this.changed.event;
  readonly onDidPause = this.pausedOrResumed.event;
  private readonly subscription: vscode.Disposable;

  /** @param report called with the settings at first and after each change. */
  constructor(private readonly report: (settings: Settings) => void) {
    this.report(this.current);
    this.subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('unstuck')) this.read();
    });
  }

  get settings(): Settings {
    return this.current;
  }

  get recovery(): RecoverySettings {
    return this.currentRecovery;
  }

  get isPaused(): boolean {
    return this.paused;
  }

  /** Stops or starts reading; the sessions stay. */
  pause(paused: boolean): void {
    this.paused = paused;
    setContext('unstuck.paused', paused);
    this.pausedOrResumed.fire();
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
    this.pausedOrResumed.dispose();
  }

  private read(): void {
    this.current = readSettings(vscode.workspace.getConfiguration('unstuck'));
    this.currentRecovery = recoveryOf(this.current);
    this.report(this.current);
    this.changed.fire();
  }
}

function recoveryOf(settings: Settings): RecoverySettings {
  return readRecoverySettings({ ...settings.recovery, expiryMs: settings.nudgeExpiryMs });
}
