import Button from '@mui/material/Button';
import { useEffect, useRef, useState } from 'react';
import { download, saveFile } from '../../api-client/download.ts';
import { isRequestFailure } from '../../api-client/request.ts';
import { exportsBusy, failureTextOf } from '../../staff-ui/failure-text.ts';
import { toasts } from '../../toasts/toasts.ts';
import { exportUrl } from './people-api.ts';

/** Saves a file with everything that is held about a person. */
export function DataExportButton({ email }: { readonly email: string }) {
  const [isRunning, setIsRunning] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = async () => {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setIsRunning(true);
    try {
      const file = await download(exportUrl(email), () => undefined, controller.signal);
      if (file) saveFile(file.content, file.name ?? 'personal-data.json');
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      toasts.error(
        failureTextOf(error, error.status === 503 ? exportsBusy : 'Could not export the data. Please try again.'),
      );
    } finally {
      running.current = undefined;
      setIsRunning(false);
    }
  };
  return (
    <Button variant="outlined" onClick={() => void start()}>
      {isRunning ? 'Exporting...' : 'Export as JSON'}
    </Button>
  );
}
