import { staffCalls } from '@dune-tide/domain/staff-calls';
import type { StaffRole } from '@dune-tide/domain/staff-roles';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useRef, useState } from 'react';
import { download, saveFile } from '../../../api-client/download.ts';
import { isRequestFailure, type RequestFailure } from '../../../api-client/request.ts';
import { formatCount } from '../../../format/numbers.ts';
import { exportsBusy, failureTextOf } from '../../../staff-ui/failure-text.ts';
import { toasts } from '../../../toasts/toasts.ts';
import { csvRowCounter } from './csv-rows.ts';

interface ExportButtonProps {
  /** The query string for the API. */
  readonly search: string;
  /** The number of leads that the file will have; undefined if unknown. */
  readonly total: number | undefined;
  /** The smallest number that the file can have. */
  readonly atLeast: number;
  /** The role of the account; undefined until it is loaded. */
  readonly role: StaffRole | undefined;
}

interface Progress {
  readonly rows: number;
  readonly total: number | undefined;
}

/** The time between two changes of the progress, in milliseconds. */
const progressInterval = 250;

/** Exports the leads of the list as a file, with its progress; a second press cancels the export. */
export function ExportButton({ search, total, atLeast, role }: ExportButtonProps) {
  const [progress, setProgress] = useState<Progress>();
  const reasonId = useId();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    const controller = new AbortController();
    running.current = controller;
    setProgress({ rows: 0, total });
    const counter = csvRowCounter();
    let shownAt = 0;
    const onPiece = (piece: Uint8Array) => {
      counter.add(piece);
      if (performance.now() < shownAt + progressInterval) return;
      shownAt = performance.now();
      setProgress({ rows: counter.rows(), total });
    };
    try {
      const file = await download(`/api/admin/leads.csv${search}`, onPiece, controller.signal);
      if (!file) return;
      saveFile(file.content, file.name ?? 'leads.csv');
      toasts.success(`${formatCount(counter.rows())} ${counter.rows() === 1 ? 'lead' : 'leads'} exported.`);
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      toasts.error(
        error.type === 'owner_needed' ? `${ownerNeeded} Choose fewer by a filter.` : failureTextOf(error, failureText),
      );
    } finally {
      running.current = undefined;
      setProgress(undefined);
    }
  };

  if (role === 'member' && atLeast > rowsForMembers && !progress) {
    return (
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Typography id={reasonId} variant="caption" sx={{ color: 'text.secondary' }}>
          {ownerNeeded}
        </Typography>
        <Button size="small" variant="outlined" disabled aria-describedby={reasonId}>
          Export CSV
        </Button>
      </Box>
    );
  }
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
      {progress && (
        <Box sx={{ width: '9rem' }}>
          <Box component="output" sx={{ display: 'block', fontVariantNumeric: 'tabular-nums' }}>
            {progress.rows === 0 ? 'Exporting…' : `${formatCount(progress.rows)} exported`}
          </Box>
          <LinearProgress
            aria-label="Export"
            color="secondary"
            {...(progress.total !== undefined &&
              progress.total > 0 && {
                variant: 'determinate',
                value: Math.min(100, (100 * progress.rows) / progress.total),
              })}
            sx={{ height: 3, borderRadius: 1 }}
          />
        </Box>
      )}
      <Button
        size="small"
        variant="outlined"
        onClick={() => (running.current ? running.current.abort() : void start())}
      >
        {progress ? 'Cancel export' : 'Export CSV'}
      </Button>
    </Box>
  );
}

const { rowsForMembers } = staffCalls.exportLeads;
const ownerNeeded = `Only an owner can export more than ${rowsForMembers} leads.`;

function failureText({ status }: RequestFailure): string {
  return status === 503 ? exportsBusy : 'Could not export the leads. Please try again.';
}
