import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import { useEffect, useRef, useState } from 'react';
import { download, saveFile } from '../../../api-client/download.ts';
import { isRequestFailure } from '../../../api-client/request.ts';
import { formatCount } from '../../../format/numbers.ts';
import { toasts } from '../../../toasts/toasts.ts';
import { csvRowCounter } from './csv-rows.ts';

interface ExportButtonProps {
  /** The query string for the API. */
  readonly search: string;
  /** The number of leads that the file will have; undefined if unknown. */
  readonly total: number | undefined;
}

interface Progress {
  readonly rows: number;
  readonly total: number | undefined;
}

/** The time between two changes of the progress, in milliseconds. */
const progressInterval = 250;

/** Exports the leads of the list as a file, with its progress; a second press cancels the export. */
export function ExportButton({ search, total }: ExportButtonProps) {
  const [progress, setProgress] = useState<Progress>();
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
      toasts.error(error.status === 503 ? busyText : failureText);
    } finally {
      running.current = undefined;
      setProgress(undefined);
    }
  };

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

const busyText = 'Other exports are running. Please try again in a minute.';
const failureText = 'Could not export the leads. Please try again.';
