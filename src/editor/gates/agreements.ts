import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import type { FolderGates } from '../../recover/gates/ports';
import { projectFiles } from '../../recover/gates/project-files';
import { detectGates } from '../../recover/gates/detect-commands';
import { gatesFromSettings } from '../../recover/gates/from-settings';
import { consentText } from '../../recover/gates/gate';
import { planGates } from '../../recover/gates/plan';
import type { GateChoices } from '../settings/settings';

const KEY = 'unstuck.gates.agreed';

interface Agreement {
  /** SHA-256 of the exact commands, and of what they start. */
  readonly digest: string;
}

/** The gates of a folder, with their origin. */
export interface KnownGates extends FolderGates {
  readonly from: 'settings' | 'detected';
  /** True if the person agreed to other commands than these. */
  readonly changed: boolean;
  /** Why the settings cannot be used; there are no gates then. */
  readonly trouble?: string;
}

/**
 * Permissions for commands to run in a folder. Commands come from the machine's settings or from templates filled from the folder's own files. The
 * latter run only as long as they are exactly the ones that the person agreed to.
 */
export class Agreements {
  constructor(
    private readonly memory: vscode.Memento,
    private readonly choices: () => GateChoices,
  ) {}

  async gatesOf(folder: string): Promise<KnownGates> {
    const { commands, timeoutMs } = this.choices();
    const own = gatesFromSettings(commands, folder, timeoutMs);
    if (!own.ok) return { gates: [], agreed: false, from: 'settings', changed: false, trouble: own.error };
    const isOwn = own.value.gates.length > 0;
    const gates = isOwn ? own.value.gates : detectGates(await projectFiles(folder), timeoutMs);
    const plan = planGates(gates);
    const from = isOwn ? 'settings' : 'detected';
    if (!plan.ok) return { gates: [], agreed: false, from, changed: false, trouble: plan.error };
    const agreement = this.all()[folder];
    const agreed = own.value.forThisFolder || agreement?.digest === digestOf(gates);
    return { gates, agreed, from, changed: agreement !== undefined && !agreed && gates.length > 0 };
  }

  async agree(folder: string, gates: FolderGates['gates']): Promise<void> {
    const digest = digestOf(gates);
    await this.memory.update(KEY, { ...this.all(), [folder]: { digest } satisfies Agreement });
  }

  /** Returns false if there was none. */
  async forget(folder: string): Promise<boolean> {
    const { [folder]: there, ...others } = this.all();
    await this.memory.update(KEY, others);
    return there !== undefined;
  }

  agreedFolders(): readonly string[] {
    return Object.keys(this.all());
  }

  private all(): Readonly<Record<string, Agreement>> {
    return this.memory.get<Record<string, Agreement>>(KEY) ?? {};
  }
}

function digestOf(gates: FolderGates['gates']): string {
  return createHash('sha256').update(consentText(gates)).digest('hex');
}
