import { type Incident, isActive } from './incident';

/**
 * Ending of an incident, as far as it is known: what freed the agent, or `stuck` (its session ended while it was stuck), `session` (it ended
 * otherwise), `went_on` (the pattern stopped for no visible reason), `rule_off`, `muted`, and `unknown` only where nothing is known.
 */
export const ENDINGS = [
  'nudge',
  'restart',
  'block',
  'gate',
  'by_itself',
  'user',
  'not_stuck',
  'stuck',
  'session',
  'went_on',
  'rule_off',
  'muted',
  'unknown',
] as const;
export type Ending = (typeof ENDINGS)[number];

/** Returns the ending; null while the incident is open. */
export function endingOf({
  state,
  outcome,
  cleared,
  level,
}: Pick<Incident, 'state' | 'outcome' | 'cleared' | 'level'>): Ending | null {
  if (isActive(state)) return null;
  if (state === 'muted') return 'muted';
  if (state === 'recovered') return outcome ?? 'by_itself';
  if (outcome === 'not_stuck' || outcome === 'user') return outcome;
  if (state === 'ended') return level === 'stuck' ? 'stuck' : 'session';
  switch (cleared) {
    case 'off':
      return 'rule_off';
    case 'user_message':
      return 'user';
    case 'session_end':
      return level === 'stuck' ? 'stuck' : 'session';
    case 'different_result':
    case 'not_back':
    case 'progress':
    case 'tool_call':
    case 'turn_end':
    case 'new_text':
    case 'success':
    case 'well_formed':
    case 'gates_passed':
    case 'new_line':
      return 'went_on';
    case null:
      return outcome ?? 'unknown';
  }
}
