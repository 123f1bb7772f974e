import { descendantOf } from '../cline/descendant';
import { rooCodeDescriptor } from './descriptor';

/** Roo Code (experimental): it began as a copy of Cline and keeps its tasks in the same form. */
export const rooCode = descendantOf(rooCodeDescriptor, ['rooveterinaryinc.roo-cline'], /roo-cline/i);
