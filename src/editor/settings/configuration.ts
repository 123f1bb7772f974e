import * as vscode from 'vscode';
import type { RecoverySettings } from '../../recover/act/ports';
import { readRecoverySettings } from '../../recover/act/settings';
import { Emitter } from '../../base/util/emitter';
import { setContext } from '../context-keys';
import { type Settings, readSettings } from './settings';

/** The settings as they are now, and whether watching is paused. */
export class Configuration implements vscode.Disposable {
  private current = settingsNow();
  private currentRecovery = recoveryOf(this.current);
  private paused = false;
  private readonly changed = new Emitter<void>();
  private readonly pausedOrResumed = new Emitter<void>();
  /** Fires when a setting changed or the workspace became trusted. */
  readonly onDidChange = this.changed.event;
  readonly onDidPause = this.pausedOrResumed.event;
  private readonly subscriptions: readonly vscode.Disposable[];

  /** @param report called with the settings at first and after each change. */
  constructor(private readonly report: (settings: Settings) => void) {
    this.report(this.current);
    this.subscriptions = [
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('unstuck')) this.read();
      }),
      // The settings of the folder apply from now on.
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.read()),
    ];
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

  /** Stops or starts reading. The sessions stay. */
  pause(paused: boolean): void {
    this.paused = paused;
    setContext('unstuck.paused', paused);
    this.pausedOrResumed.fire();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
    this.pausedOrResumed.dispose();
  }

  private read(): void {
    this.current = settingsNow();
    this.currentRecovery = recoveryOf(this.current);
    this.report(this.current);
    this.changed.fire();
  }
}

function settingsNow(): Settings {
  return readSettings(vscode.workspace.getConfiguration('unstuck'), vscode.workspace.isTrusted);
}

function recoveryOf(settings: Settings): RecoverySettings {
  const known = new Map<string, unknown>();
  const brakes = (folder: string): unknown => {
    if (!known.has(folder))
      known.set(folder, vscode.workspace.getConfiguration('unstuck', vscode.Uri.file(folder)).get('recovery.brakes'));
    return known.get(folder);
  };
  return readRecoverySettings({ ...settings.recovery, brakes, expiryMs: settings.nudgeExpiryMs });
}
