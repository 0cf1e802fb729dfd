process.argv[2]='lib';
const {tools,gen,run}=await import('./zz-a.mjs');
function* paths(v,p=[]){ if(v&&typeof v==='object'){ for(const k of (Array.isArray(v)?(v.length>1&&p.length>0||v.length?[Math.min(1,v.length-1)]:[]):Object.keys(v))){ yield [...p,k]; yield* paths(v[k],[...p,k]); } } }
const set=(o,p,f)=>{ const c=structuredClone(o); let q=c; for(const k of p.slice(0,-1)) q=q[k]; f(q,p.at(-1)); return c; };
for(const name of Object.keys(tools)){
  const base=gen[name](3); if(base.lines!==undefined) continue;
  const b=(await run(name,base)).r.length; const out=[];
  for(const p of paths(base)){
    if (typeof p.at(-1)==='number'&&p.length===1&&false) continue;
    for(const [kind,f] of [['null',(q,k)=>q[k]=null],['absent',(q,k)=>{Array.isArray(q)?q.splice(k,1):delete q[k]}],['doubled',(q,k)=>q[k]=[q[k],q[k]]],['emptyarr',(q,k)=>{q[k]=[]}]]){
      if(kind==='absent'&&typeof p.at(-1)==='number') continue;
      if((kind==='doubled'||kind==='emptyarr')&&p.length<2) continue;
      const {r,e}=await run(name,set(base,p,f));
      if(e) out.push(`  ${kind} ${p.join('.')}: ERR ${e.slice(0,110)}`);
      else if(kind!=='doubled'&&kind!=='emptyarr'&&r.length<b) out.push(`  ${kind} ${p.join('.')}: ${b}->${r.length}`);
      else if (kind==='null'&&r.length>=b&&p.length<=3&&base[p[0]]&&typeof p.at(-1)==='string'&&Array.isArray(p.reduce((o,k)=>o[k],base))) out.push(`  null-list ${p.join('.')}: ${b}->${r.length} ${JSON.stringify(r).slice(0,150)}`);
    }
  }
  console.log(name,b); console.log(out.join('\n'));
}
