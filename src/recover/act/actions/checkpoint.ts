import { fail, ok } from '../../../base/util/result';
import { CHECKPOINT_MS, within } from '../checkpoint-time';
import { refOf } from '../starting';
import type { Action } from './action';

/** Saves the work in progress. Does not count as an attempt. */
export const checkpoint: Action = async ({ save, journal }, found, decision, { watch }) => {
  const saved = await save(found, within(CHECKPOINT_MS, watch));
  if (!saved.ok) return fail({ code: 'checkpoint', message: saved.error.message });
  journal.did(found.incident, decision, 'saved', { ...refOf(saved.value), changed: saved.value.changed });
  return ok({ kind: 'saved', checkpoint: saved.value });
};
