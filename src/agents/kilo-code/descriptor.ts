import { descendantDescriptor } from '../cline/descendant-descriptor';

export const kiloCodeDescriptor = descendantDescriptor('kilo-code', 'Kilo Code');
