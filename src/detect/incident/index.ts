export { IncidentBook, MOST_INCIDENTS, type NotedIncident } from './book';
export { type Heard, heard, notStuck, sameAlarm, withNotStuck, withoutNotStuck } from './not-stuck';
export { incidentId } from './id';
export { onlySeemed, sameStreak } from './same-streak';
export type { IncidentInput } from './incident-input';
export { mayNotify } from './notify';
export { next } from './reducer';
