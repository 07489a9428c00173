import { config } from 'chai';

// Messages stand alone in the report, so that they must not be cut.
config.truncateThreshold = 0;
