import { Drawer } from "@mantine/core";
import { Navigation } from "./navigation.tsx";

interface Props {
  isOpen: boolean;
  onClose: () => void;
}

export function PhoneNavigation({ isOpen, onClose }: Props) {
  return (
    <Drawer opened={isOpen} onClose={onClose} size={280} padding={0} title="Menu" className="shell-drawer">
      <Navigation onNavigate={onClose} />
    </Drawer>
  );
}
