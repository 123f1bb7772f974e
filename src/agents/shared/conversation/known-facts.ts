import type { PermissionMode, SessionMode } from '../../../core/model';

/** Facts that the lines of a transcript repeat about their session. */
export interface RepeatedFacts {
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
  readonly version?: string | undefined;
  readonly model?: string | undefined;
  readonly mode?: SessionMode | undefined;
  readonly permissionMode?: PermissionMode | undefined;
}

const NAMES = ['cwd', 'branch', 'version', 'model', 'mode', 'permissionMode'] as const;
type Changed = { -readonly [Name in keyof RepeatedFacts]?: NonNullable<RepeatedFacts[Name]> };

/** The facts of a session as last seen, so that only changes are emitted. */
export class KnownFacts implements RepeatedFacts {
  cwd: string | undefined = undefined;
  branch: string | undefined = undefined;
  version: string | undefined = undefined;
  model: string | undefined = undefined;
  mode: SessionMode | undefined = undefined;
  permissionMode: PermissionMode | undefined = undefined;

  /** Stores these facts. Returns those that are new, undefined if there are none. */
  update(facts: RepeatedFacts): Changed | undefined {
    let changed: Changed | undefined;
    for (const name of NAMES) {
      const value = facts[name];
      if (value === undefined || value === this[name]) continue;
      changed = { ...changed, [name]: value };
      (this as Changed)[name] = value as never;
    }
    return changed;
  }
}
