import type { StatisticsIntent } from '../../panel';
import { connectHost } from '../host';
import { speakAsPage } from '../language';
import { startStatistics } from './statistics';

speakAsPage(document);
startStatistics(document.body, connectHost<StatisticsIntent>());
