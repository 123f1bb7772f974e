import type { AgentEvent } from '../../core/model';
import type { DetectContext, Detector } from './detector';

/** Makes the part of a detector that receives only some types of events: most events are calls and results, which few rules need. */
export function hearing<Type extends AgentEvent['type']>(
  hears: readonly Type[],
  onEvent: (event: Extract<AgentEvent, { readonly type: Type }>, context: DetectContext) => void,
): Required<Pick<Detector, 'hears' | 'onEvent'>> {
  return { hears, onEvent };
}
