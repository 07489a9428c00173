import { config } from 'chai';

// The report shows only the messages, so they must not be truncated.
config.truncateThreshold = 0;
