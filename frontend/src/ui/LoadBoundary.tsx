import { brand } from '@dune-tide/domain/brand';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Component, type ReactNode, Suspense } from 'react';
import { loadFailure } from './load-failure.ts';

interface LoadBoundaryProps {
  /** Identifies the content, e.g. the page's path. A change retries after a failure. */
  readonly subject?: string;
  /** Whether it contains a whole page with its title. */
  readonly isOfPage?: boolean;
  /** Whether it contains a form. The form is unmounted on failure, but its draft is kept. */
  readonly isOfForm?: boolean;
  /** Whether it contains what the button above it opens. */
  readonly isOfButton?: boolean;
  readonly children: ReactNode;
}

interface LoadBoundaryState {
  readonly hasFailed: boolean;
  readonly subject?: string | undefined;
}

/**
 * An error boundary for lazily loaded code (React.lazy). It is empty while the code loads. If loading fails, the rest
 * of the page stays and the visitor reads how to continue.
 */
export class LoadBoundary extends Component<LoadBoundaryProps, LoadBoundaryState> {
  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ subject }: LoadBoundaryProps, state: LoadBoundaryState) {
    return subject === state.subject ? null : { hasFailed: false, subject };
  }

  override state: LoadBoundaryState = { hasFailed: false, subject: this.props.subject };

  override render() {
    if (!this.state.hasFailed) return <Suspense>{this.props.children}</Suspense>;
    const { isOfPage = false, isOfForm = false, isOfButton = false } = this.props;
    return (
      <Typography component="div" role="alert" sx={isOfButton ? { marginTop: 1.5 } : { padding: 3 }}>
        {/* The page's own title and heading are missing as well. */}
        {isOfPage && <title>{brand.name}</title>}
        {isOfPage ? <Heading>{loadFailure.text}</Heading> : loadFailure.text} {isOfForm && `${loadFailure.kept} `}
        <Link href="">{loadFailure.link}</Link>
      </Typography>
    );
  }
}

const Heading = ({ children }: { readonly children: string }) => (
  <Typography variant="h3" component="h1" sx={{ marginBottom: 1 }}>
    {children}
  </Typography>
);
