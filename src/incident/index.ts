export { IncidentBook } from './book';
export { incidentId } from './id';
export type { IncidentInput } from './incident-input';
export { mayNotify } from './notify';
