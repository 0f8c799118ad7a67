import { registerVenues } from '../../src/app/venue/load.ts';

registerVenues();
