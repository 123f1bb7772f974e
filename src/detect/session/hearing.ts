import type { AgentEvent } from '../../model';
import type { DetectContext, Detector } from './detector';

/** What a detector says that wants to be told of some types of events only: most events are calls and results, of which few rules want to know. */
export function hearing<Type extends AgentEvent['type']>(
  hears: readonly Type[],
  onEvent: (event: Extract<AgentEvent, { readonly type: Type }>, context: DetectContext) => void,
): Required<Pick<Detector, 'hears' | 'onEvent'>> {
  return { hears, onEvent };
}
