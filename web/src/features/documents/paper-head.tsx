import { logoAddress } from "@app/shared/letterheads";
import { api } from "../../core/api.ts";
import "./pictures.css";

/** What stands over the words of each page: whose paper it is, and how it is marked. */
export function PaperHead({ mark }: { mark: string }) {
  const { data } = api.letterheads.get.useQuery();
  if (!data) return <div className="paper-head" />;
  return (
    <div className="paper-head">
      {data.logoId && <img src={logoAddress(data.logoId)} alt="" />}
      <span>{data.name}</span>
      {mark && <strong>{mark}</strong>}
    </div>
  );
}
