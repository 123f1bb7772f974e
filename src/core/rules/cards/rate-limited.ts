import type { RuleCard } from '../card';
import { warnings } from '../common';

export const rateLimited = {
  id: 'rate_limited',
  reason: 'outage',
  exhaustion: null,
  certainty: 'counted',
  thresholds: warnings(2, 3, 5),
  unit: 'times',
  counts: 'refused requests in a row',
  shapes: {
    infrastructure: { limits: warnings(2, 3, 5), counts: 'equal infrastructure errors of one tool in a session' },
  },
  notifies: 'never',
  strategy: {
    name: 'wait_for_service',
    does: 'wait',
    rungs: [],
    savesWork: false,
    atOnce: false,
    action: null,
    why: 'The service refuses requests: nothing in the work is wrong.',
  },
  words: {
    name: 'Refused requests',
    pattern: 'refused',
    short: '{count:# request|# requests} refused',
    label: 'Requests refused ×{count}',
    figure: { label: 'Refused', value: '{count:# request|# requests}', note: 'in a row' },
    nudge: {
      step: {
        infrastructure: 'Tell your user what is missing here; do not try to work around it.',
        main: 'Wait before the next request: nothing in your work is wrong.',
      },
      counted: {
        infrastructure: '{count:# call|# calls} failed because something that the tool stands on is not there.',
        main: '{count:# request was|# requests in a row were} refused.',
      },
      result: 'The answer:',
    },
  },
  rules: {
    outage: { words: { name: 'Refused requests' } },
  },
} as const satisfies RuleCard;
