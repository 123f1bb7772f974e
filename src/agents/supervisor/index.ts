export type { SupervisorEvent } from './options';
export { supervise } from './supervisor';
