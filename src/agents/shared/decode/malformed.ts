import type { ToolResultEvent } from '../../../core/model';
import { headOf } from './copy';

/** Number of characters kept of an error. */
const LONGEST_ERROR = 600;

type Validation = NonNullable<ToolResultEvent['validation']>;

/** Returns the validation error of a call that never ran because it was malformed. `expected` and `received` are given as far as they are known. */
export function malformed(
  kind: Validation['kind'],
  error: string,
  expected?: string,
  received?: string,
): { readonly validation: Validation } {
  return {
    validation: {
      kind,
      ...(expected !== undefined && { expected }),
      ...(received !== undefined && { received }),
      error: headOf(error, LONGEST_ERROR),
    },
  };
}
