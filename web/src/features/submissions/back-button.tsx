import { Button } from "@mantine/core";

interface Props {
  to: number;
  onBack: () => void;
}

export const BackButton = ({ to, onBack }: Props) => (
  <Button variant="subtle" size="lg" fullWidth onClick={onBack}>
    ← Back to step {to}
  </Button>
);
