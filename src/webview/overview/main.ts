import { type OverviewIntent } from '../../panel';
import { connectHost } from '../host';
import { speakAsPage } from '../language';
import { startOverview } from './overview';

speakAsPage(document);
startOverview(document.body, connectHost<OverviewIntent>());
