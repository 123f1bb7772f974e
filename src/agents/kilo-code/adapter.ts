import { descendantOf } from '../cline/descendant';
import { kiloCodeDescriptor } from './descriptor';

/** Kilo Code (experimental): it began as a copy of Roo Code. Its folder is spelled in two ways. */
export const kiloCode = descendantOf(kiloCodeDescriptor, ['kilocode.kilo-code', 'kilocode.Kilo-Code'], /kilo-code/i);
