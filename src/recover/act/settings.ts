import { readLaunchSettings } from '../../agents/launch-settings';
import { readLadder } from '../ladder';
import { readBrakes } from '../brakes';
import { readLimits } from '../decisions/limits';
import { readModelTiers } from '../decisions/models';
import type { RecoverySettings } from './ports';

/** The settings as the person wrote them. */
export interface RawRecoverySettings {
  readonly automatic: unknown;
  readonly ladder: unknown;
  readonly limits: unknown;
  /** The setting of a workspace folder. */
  readonly brakes: (folder: string) => unknown;
  readonly models: unknown;
  /** Machine settings only: a workspace must not decide what is started. */
  readonly launch: unknown;
  readonly expiryMs: number;
}

/** Reads the known settings of recovery; everything else keeps its default. */
export function readRecoverySettings(raw: RawRecoverySettings): RecoverySettings {
  return {
    automatic: raw.automatic === true,
    ladder: readLadder(raw.ladder),
    limits: readLimits(raw.limits),
    brakes: (folder) => readBrakes(raw.brakes(folder)),
    tiers: readModelTiers(raw.models),
    launch: readLaunchSettings(raw.launch),
    expiryMs: raw.expiryMs,
  };
}
