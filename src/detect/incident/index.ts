export { IncidentBook, MOST_INCIDENTS, type NotedIncident } from './book';
export { type Heard, heard, notStuck, sameAlarm, withNotStuck, withoutNotStuck } from './not-stuck';
export { incidentId } from './id';
export { sameStreak } from './same-streak';
export type { IncidentInput } from './incident-input';
export { onlySeemed } from './only-seemed';
export { mayNotify } from './notify';
export { next } from './reducer';
