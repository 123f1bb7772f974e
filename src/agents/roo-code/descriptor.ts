import { descendantDescriptor } from '../cline/descendant-descriptor';

export const rooCodeDescriptor = descendantDescriptor('roo-code', 'Roo Code');
