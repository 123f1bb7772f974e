import { connectHost } from './host';
import { speakAsPage } from './language';
import { startPanel } from './panel';

speakAsPage(document);
startPanel(document.body, connectHost());
