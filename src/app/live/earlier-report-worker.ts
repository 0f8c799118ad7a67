import { parentPort, workerData } from 'node:worker_threads';
import { storeSession } from '../../research/report/index.ts';
import { keepNewestSessions } from '../run/kept-files.ts';
import { sessionName } from '../run/id.ts';
import type { EarlierTask } from './earlier-report.ts';
import { JournalSession } from '../run/journal-session.ts';
import { journalReport } from './journal-report.ts';

// The thread of `reportEarlier`: makes one report, says where its page is, and ends. What it throws is reported there.

const { directory, place } = workerData as EarlierTask;
const { document, trades } = journalReport(JournalSession.at(directory, place), false);
const { html } = storeSession(directory, sessionName(place.started.run), document, trades);
keepNewestSessions(directory);
parentPort?.postMessage(html, []);
