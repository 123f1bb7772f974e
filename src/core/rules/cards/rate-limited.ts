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
    infrastructure: {
      limits: warnings(2, 3, 5),
      counts: 'times that one tool failed with the same infrastructure error in a session',
    },
  },
  notifies: 'never',
  strategy: {
    name: 'wait_for_service',
    does: 'wait',
    rungs: [],
    savesWork: false,
    atOnce: false,
    action: null,
    why: 'The service refuses requests. Nothing is wrong with the work.',
  },
  words: {
    name: 'Refused requests',
    pattern: 'refused',
    short: '{count:# request|# requests} refused',
    label: 'Requests refused ×{count}',
    figure: { label: 'Refused', value: '{count:# request|# requests}', note: 'in a row' },
    nudge: {
      step: {
        infrastructure: 'Tell your user what is missing. Do not try to work around it.',
        main: 'Wait before the next request. Nothing is wrong with your work.',
      },
      counted: {
        infrastructure: '{count:# call|# calls} failed because something that the tool depends on is missing.',
        main: '{count:# request was|# requests in a row were} refused.',
      },
      result: 'The answer:',
    },
  },
  rules: {
    outage: { words: { name: 'Refused requests' } },
  },
} as const satisfies RuleCard;
